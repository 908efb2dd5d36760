import type { Alert, Deed } from './alert';
import { Place, type Started } from './place';

/** A place as it is kept in the journal. */
interface KeptPlace {
  readonly device: Place['device'];
  readonly subject: string;
  readonly rehearsal: boolean;
  readonly claims: readonly (readonly [
    alert: string,
    claim: { deed: Deed; order: number; isHeld: boolean },
  ])[];
  readonly on?: Started;
  /** Starts on their way: if this process dies, each may have happened. */
  readonly underWay: readonly (Started & { readonly isReturn: boolean })[];
}

/** What the journal holds of a place. */
export function keptOf({ device, subject, rehearsal, claims, on, underWay }: Place): KeptPlace {
  const starts = [...underWay].filter(({ kind }) => kind !== 'end');
  return {
    device,
    subject,
    rehearsal,
    claims: [...claims],
    ...(on && { on }),
    underWay: starts.map(({ number, alert, deed, kind }) => ({
      number,
      alert,
      deed,
      isReturn: kind === 'return',
    })),
  };
}

/** A place from the journal; undefined where it is none. */
export function placeIn(key: string, value: unknown): Place | undefined {
  try {
    const kept = value as KeptPlace;
    const { id, name } = kept.device;
    if (![id, name, kept.subject].every((text) => typeof text === 'string')) return undefined;
    const place = new Place(key, { id, name }, kept.subject, kept.rehearsal === true);
    for (const [alert, { deed, order, isHeld }] of kept.claims) {
      if (isDeed(deed)) place.claims.set(alert, { deed, order: Number(order), isHeld: isHeld === true });
    }
    if (kept.on && isStarted(kept.on)) place.on = kept.on;
    for (const { isReturn, ...started } of kept.underWay) {
      if (!isStarted(started)) continue;
      if (isReturn) place.noteReturn(started);
      else place.noteStart(started, false);
    }
    return place;
  } catch {
    return undefined;
  }
}

/** An alert from the journal; undefined where it is none. */
export function alertIn(value: unknown): Alert | undefined {
  const alert = value as Alert | null;
  if (![alert?.id, alert?.name, alert?.since].every((text) => typeof text === 'string')) return undefined;
  if (![alert?.severity, alert?.order].every(Number.isFinite) || !Array.isArray(alert?.targets))
    return undefined;
  const { ends } = alert;
  return ends === undefined || [ends?.at, ends?.afterMs].every(Number.isFinite) ? alert : undefined;
}

function isStarted({ number, alert, deed }: Started): boolean {
  return Number.isFinite(number) && typeof alert === 'string' && isDeed(deed);
}

function isDeed(deed: Deed): boolean {
  const { operation, parameters, end } = deed;
  if (typeof operation !== 'string' || typeof parameters !== 'object' || parameters === null) return false;
  return end === undefined || (typeof end?.operation === 'string' && typeof end.parameters === 'object');
}
