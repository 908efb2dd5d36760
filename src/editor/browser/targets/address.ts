import { isVariable } from '../operations/check';

/** What is wrong with an address, as a key of the locale file's `invalid`; undefined if nothing is. */
export function checkAddress(address: string): 'noAddress' | 'address' | 'userInfo' | undefined {
  if (address === '') return 'noAddress';
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(address);
  if (/^(?!https?:\/\/)(?:https?:|[a-z][a-z\d+.-]*:\/\/)/i.test(address)) return 'address';
  const urls = hasScheme ? [address] : [`https://${address}`, `https://[${address}]`];
  const url = urls.find((one) => URL.canParse(one));
  // Node-RED replaces a variable only where it is all of a property.
  const isInPart = address.includes('${') && !isVariable(address);
  if (/[\s?#\\]/.test(address) || isInPart || url === undefined) return 'address';
  const { username, password, hostname } = new URL(url);
  // `010.0.0.1` is another address than it seems to be.
  if (/^\d+(?:\.\d+){3}$/.test(hostname) && !address.includes(hostname)) return 'address';
  return username || password ? 'userInfo' : undefined;
}

/** Whether something stands behind the host and the port: it goes in front of all that is asked. */
export function hasPath(address: string): boolean {
  const [, path = ''] = /^(?:https?:\/\/)?[^/]+(.*)$/i.exec(address.trim()) ?? [];
  return !/^\/*$/.test(path);
}
