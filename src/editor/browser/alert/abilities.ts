import { alertDeeds } from '../../../catalogue/alert-deeds';
import { Requirements } from '../../../catalogue/compatibility';
import { firmwareIn, modelIn } from '../../../catalogue/identity';
import { givenIn } from '../given';
import { needsOf } from '../operation-needs';
import type { TargetMember } from '../target-members';

/** Whether a device will do a deed: surely not for its model or its firmware, or nobody knows before it is asked. */
export type Ability = 'yes' | 'model' | 'firmware' | 'unknown';

/** What of a deed decides who can do it. */
interface AlertActionSpec {
  readonly operation?: unknown;
  readonly form?: unknown;
}

/** Who will do a deed, as the runtime will decide it when it sends; by members in their order. */
export function abilitiesFor(deed: unknown, members: readonly TargetMember[]): Ability[] {
  const { operation: name, form } = Object(deed) as AlertActionSpec;
  const operation = needsOf(String(name));
  // What no alert may start, nobody does.
  const isDeed = alertDeeds.some((deed) => deed.operation === name);
  if (!operation || !isDeed) return members.map(() => 'unknown');
  const needs = new Requirements(operation, givenIn(operation, form));
  return members.map((member) => abilityOf(needs, member));
}

function abilityOf(needs: Requirements, member: TargetMember): Ability {
  if (member.letDeviceDecide) return 'yes';
  const [model, firmware] = [modelIn(member.model), firmwareIn(member.firmware)];
  const identity = { ...(model && { model }), ...(firmware && { firmware }) };
  const lack = needs.lackOf(identity);
  if (lack) return lack.because;
  return model === undefined && needs.dependOnIdentity ? 'unknown' : 'yes';
}
