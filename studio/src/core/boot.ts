// What the page does first of all, while its other scripts are on their way.
import { keepFirst, startFirst } from './first_worker.ts';

keepFirst(startFirst(new URL('core/', document.baseURI)));
