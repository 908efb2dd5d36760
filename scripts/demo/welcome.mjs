import { isLoopback } from './address.mjs';

export const rule = '-'.repeat(72);

/** In Windows PowerShell, plain `curl` is another program. */
export const curl = process.platform === 'win32' ? 'curl.exe' : 'curl';

/** Returns the text after the start: where to look, what to press, how to end. */
export function welcome(url, { host, problems, doorbell, devices }) {
  return [
    '',
    rule,
    ...problems.flatMap((problem) => [`  Warning: ${problem}`, '']),
    '  Node-RED is running. Open the editor in a browser:',
    '',
    `      ${url}`,
    '',
    ...(doorbell ? doorbellLines(url) : []),
    ...(devices.length > 0 ? deviceLines(url, devices) : []),
    ...(isLoopback(host)
      ? []
      : [`  Warning: there is no login; who reaches ${url} can run any program here.`]),
    '  Ctrl-C ends all of it.',
    rule,
  ].join('\n');
}

function doorbellLines(url) {
  return [
    '  Press the doorbell there, or in another terminal:',
    '',
    `      ${curl} -X POST ${url}/doorbell`,
    '',
  ];
}

function deviceLines(url, devices) {
  return [
    '  Virtual devices. The commands that they receive are shown below, and in their panels:',
    '',
    ...devices.flatMap(({ name, address, panel }) => [
      `      ${name}  ${address}`,
      `          panel  ${url}/${panel}`,
    ]),
    '',
  ];
}
