// Whether a value is of a type of api.json: a small reader of the TypeScript that stands there.
const arrays = { Uint8Array, Float32Array, Uint32Array };

// Splits at a separator that stands in no bracket.
function split(text, separator) {
  const parts = [''];
  let depth = 0;
  for (const c of text) {
    if ('{[(<'.includes(c)) ++depth;
    if ('}])>'.includes(c)) --depth;
    if (c === separator && depth === 0) parts.push('');
    else parts[parts.length - 1] += c;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function checkFields(fields, value, types, path) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return `${path} is no object`;
  for (const [key, type] of Object.entries(fields)) {
    const name = key.replace(/\?$/, '');
    if (!(name in value)) {
      if (key.endsWith('?')) continue;
      return `${path}.${name} is missing`;
    }
    const wrong = checkType(type, value[name], types, `${path}.${name}`);
    if (wrong) return wrong;
  }
  const extra = Object.keys(value).find((key) => !(key in fields) && !(`${key}?` in fields));
  return extra === undefined ? '' : `${path}.${extra} is not in the list`;
}

// '' where it is, else what is wrong.
export function checkType(type, value, types, path = 'value') {
  if (typeof type === 'object') return checkFields(type, value, types, path);
  const choices = split(type, '|');
  if (choices.length > 1) {
    const wrong = choices.map((choice) => checkType(choice, value, types, path));
    return wrong.includes('') ? '' : `${path} is none of ${type}`;
  }
  if (type === 'any') return '';
  if (type === 'null') return value === null ? '' : `${path} is not null`;
  if (['string', 'number', 'boolean'].includes(type)) return typeof value === type ? '' : `${path} is no ${type}`;
  if (type.startsWith('"')) return value === JSON.parse(type) ? '' : `${path} is not ${type}`;
  if (arrays[type]) return value instanceof arrays[type] ? '' : `${path} is no ${type}`;
  if (type.endsWith('[]')) {
    if (!Array.isArray(value)) return `${path} is no list`;
    return value.map((entry, i) => checkType(type.slice(0, -2), entry, types, `${path}[${i}]`)).find((wrong) => wrong) ?? '';
  }
  if (type.startsWith('[')) {
    const entries = split(type.slice(1, -1), ',');
    if (!Array.isArray(value) || value.length !== entries.length) return `${path} is not ${type}`;
    return entries.map((entry, i) => checkType(entry, value[i], types, `${path}[${i}]`)).find((wrong) => wrong) ?? '';
  }
  if (type.startsWith('{')) {
    const fields = Object.fromEntries(split(type.slice(1, -1), ',').map((field) => split(field, ':')));
    return checkFields(fields, value, types, path);
  }
  if (type.startsWith('Record<')) {
    const of = split(type.slice(7, -1), ',')[1];
    return Object.entries(value).map(([key, entry]) => checkType(of, entry, types, `${path}.${key}`)).find((wrong) => wrong) ?? '';
  }
  if (types[type] === undefined) return `${path}: there is no type ${type}`;
  return checkType(types[type], value, types, path);
}
