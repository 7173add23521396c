// A file into the user's downloads.
export function download(name: string, bytes: BlobPart, type = 'application/octet-stream'): void {
  const address = URL.createObjectURL(new Blob([bytes], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  const longEnough = 60_000; // milliseconds until the browser has surely taken it
  setTimeout(() => URL.revokeObjectURL(address), longEnough);
}
