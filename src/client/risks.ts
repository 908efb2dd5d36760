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
  readonly #said: string[] = [];

  constructor(
    private readonly settings: Pick<DeviceSettings, 'auth' | 'isVirtual'>,
    private readonly context: Pick<RunContext, 'endpoint' | 'environment' | 'place'>,
  ) {}

  warnOf(request: WireRequest): void {
    const { endpoint, environment, place } = this.context;
    const { auth, isVirtual } = this.settings;
    if (isVirtual) return;
    for (const risk of risksOf(request, auth, endpoint)) {
      if (this.#said.includes(risk)) continue;
      this.#said.push(risk);
      environment.warn(`${place}: ${risk}`);
    }
  }
}
