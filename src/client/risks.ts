import type { Endpoint } from './address';
import type { WireRequest } from './call';
import type { DeviceSettings } from './settings';

const scheduler = /^\/api\/schedules(\?|$)/;

/**
 * What a person should know of the way a request goes: section 5 allows Basic only over HTTPS, section 4.13 the
 * scheduler only with authentication over HTTPS.
 */
export function risksOf({ path }: WireRequest, auth: DeviceSettings['auth'], { secure }: Endpoint): string[] {
  const risks: string[] = [];
  if (auth === 'basic' && !secure) {
    risks.push('Basic authentication over http shows the password to the whole network, use https');
  }
  if (scheduler.test(path) && (auth === 'none' || !secure)) {
    risks.push('the scheduler is meant to be used over https with Standard or Basic authentication');
  }
  return risks;
}
