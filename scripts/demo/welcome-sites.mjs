import { isLoopback } from './address.mjs';
import { curl, rule } from './welcome.mjs';

/**
 * Returns the text after the start of all sites: what to press, where to look, how to end.
 * @param {{ name: string, url: string, problems: string[], buttons: object[], devices: object[] }[]} all the
 * centre first
 */
export function welcomeToSites([centre, ...sites], host) {
  const problems = [centre, ...sites].flatMap(({ name, problems: own }) =>
    own.map((problem) => `  Warning: ${name}: ${problem}`),
  );
  const width = Math.max(
    ...sites.flatMap(({ devices }) => devices.map(({ name }) => name.length)),
    ...centre.buttons.map(({ name }) => name.length),
  );
  return [
    '',
    rule,
    ...(problems.length > 0 ? [...problems, ''] : []),
    '  A centre and two sites are running, with a broker between them.',
    '  Open the centre in a browser and press its button, or in another terminal:',
    '',
    `      ${'The centre'.padEnd(width)}  ${centre.url}`,
    '',
    ...centre.buttons.map(
      ({ id, name }) => `      ${name.padEnd(width)}  ${curl} -X POST ${centre.url}/inject/${id}`,
    ),
    '',
    '  The sites, and the panels of their virtual devices:',
    ...sites.flatMap(({ name, url, devices }) => [
      '',
      `      ${`Site ${name}`.padEnd(width)}  ${url}`,
      ...devices.map((device) => `      ${device.name.padEnd(width)}  ${url}/algo/virtual/${device.id}/`),
    ]),
    '',
    ...(isLoopback(host)
      ? []
      : ['  Warning: there is no login; who reaches these addresses can run any program here.']),
    '  The commands that the virtual devices receive are shown below. Ctrl-C ends all of it.',
    rule,
  ].join('\n');
}
