import type { Endpoint } from './address';
import type { WireRequest } from './call';
import type { RunContext } from './run-context';
import type { DeviceSettings } from './settings';

const scheduler = /^\/api\/schedules(\?|$)/;

/**
 * What a person should know of the way a request goes: section 5 allows Basic only over HTTPS, section 4.13 the
 * scheduler only with authentication over HTTPS.
 */
function risksOf({ path }: WireRequest, auth: DeviceSettings['auth'], { secure }: Endpoint): string[] {
  const risks: string[] = [];
  if (auth === 'basic' && !secure) {
    risks.push('Basic authentication over http shows the password to the whole network, use https');
  }
  if (scheduler.test(path) && (auth === 'none' || !secure)) {
    risks.push('the scheduler is meant to be used over https with Standard or Basic authentication');
  }
  return risks;
}

/** Says of each risk of one device's requests once that it is there. */
export class Risks {
  readonly #said = new Set<string>();

  constructor(
    private readonly auth: DeviceSettings['auth'],
    private readonly context: Pick<RunContext, 'endpoint' | 'environment' | 'place'>,
  ) {}

  warnOf(request: WireRequest): void {
    const { endpoint, environment, place } = this.context;
    for (const risk of risksOf(request, this.auth, endpoint)) {
      if (this.#said.has(risk)) continue;
      this.#said.add(risk);
      environment.warn(`${place}: ${risk}`);
    }
  }
}
