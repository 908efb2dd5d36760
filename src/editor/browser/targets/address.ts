import { isVariable } from '../operations/check';

export function checkAddress(address: string): 'noAddress' | 'address' | 'userInfo' | undefined {
  if (address === '') return 'noAddress';
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(address);
  if (/^(?!https?:\/\/)(?:https?:|[a-z][a-z\d+.-]*:\/\/)/i.test(address)) return 'address';
  const urls = hasScheme ? [address] : [`https://${address}`, `https://[${address}]`];
  const url = urls.find((one) => URL.canParse(one));
  // Node-RED replaces `${NAME}` only if it is the whole value of a property.
  const isInPart = address.includes('${') && !isVariable(address);
  if (/[\s?#\\]/.test(address) || isInPart || url === undefined) return 'address';
  const { username, password, hostname } = new URL(url);
  // A number with a leading zero is octal, so `010.0.0.1` would be another address than the user expects.
  if (/^\d+(?:\.\d+){3}$/.test(hostname) && !address.includes(hostname)) return 'address';
  return username || password ? 'userInfo' : undefined;
}

/** Whether an address has a path after host and port. The path would precede the path of each request. */
export function hasPath(address: string): boolean {
  return !/^\/*$/.test(pathOf(address));
}

/** Whether the path has `/api`, with which the paths of all requests begin already. */
export function hasApiPath(address: string): boolean {
  return /\/api(?:\/|$)/i.test(pathOf(address));
}

function pathOf(address: string): string {
  const [, path = ''] = /^(?:https?:\/\/)?[^/]+(.*)$/i.exec(address.trim()) ?? [];
  return path;
}
