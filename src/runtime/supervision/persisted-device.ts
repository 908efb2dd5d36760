import { count, list, oneOf, open, reader, text, time } from '../../kernel/shape';
import { type Condition, checkNames, conditions, type Finding } from './finding';

export interface ReportedState {
  readonly condition: Condition;
  readonly keys: readonly string[];
}

export interface PersistedDevice {
  readonly name: string;
  readonly where?: string;
  readonly condition: Condition;
  readonly previous: Condition;
  readonly since: number;
  readonly findings: readonly Finding[];
  readonly notChecked: readonly string[];
  readonly missed: number;
  readonly reported?: ReportedState;
  /** End of the mask in epoch milliseconds; absent if there is no mask. */
  readonly maskedUntil?: number;
}

const condition = oneOf(...conditions);
const finding = open({ check: oneOf(...checkNames), reason: text(), message: text() }, { subject: text() });

/** Returns undefined if the value is invalid. */
export const parsePersistedDevice = reader(
  open(
    {
      ...{ name: text(), condition, previous: condition, since: time },
      ...{ findings: list(finding), notChecked: list(text()), missed: count },
    },
    {
      ...{ where: text(), maskedUntil: time },
      reported: open({ condition, keys: list(text()) }),
    },
  ),
) as (value: unknown) => PersistedDevice | undefined;
