import { type Check, type DeviceTraits, show } from '../checks/checks';
import { maxJsonBytes } from '../choices';
import { readJsonText } from '../wire/json-text';
import type { Arrival, Reader } from './route';

export function mediaType({ contentType }: Arrival, { lenient }: DeviceTraits): string {
  return lenient ? (contentType.split(';', 1)[0] ?? '').trim().toLowerCase() : contentType;
}

export function json<T>(check: Check<T>): Reader<T> {
  return {
    read(arrival, device) {
      // An empty body has its own message, which lists the required fields.
      if (arrival.content.length === 0)
        return { mistakes: ['a JSON body is expected here', ...check({}, '', device)] };
      if (arrival.content.length > maxJsonBytes)
        return { mistakes: [`more than ${maxJsonBytes} bytes of JSON`] };
      // A web page of another site can send some other types, such as text/plain, but not JSON.
      const type = mediaType(arrival, device);
      if (type !== 'application/json')
        return { mistakes: [`Content-Type must be application/json, not ${show(type)}`] };
      const value = parse(arrival.content);
      if (value === undefined) return { mistakes: ['the body is not JSON, or has too many levels'] };
      const mistakes = check(value, '', device);
      return mistakes.length === 0 ? { value: value as T } : { mistakes };
    },
  };
}

function parse(content: Buffer): unknown {
  try {
    return readJsonText(content);
  } catch {
    return undefined;
  }
}

export function raw(...types: readonly string[]): Reader<{ readonly type: string; readonly data: Buffer }> {
  return {
    read(arrival, device) {
      const type = mediaType(arrival, device);
      if (types.includes(type)) return { value: { type, data: arrival.content } };
      return { mistakes: [`Content-Type must be ${types.join(' or ')}, not ${show(type)}`] };
    },
  };
}

export function dependingOn<A, B>(
  when: (arrival: Arrival, device: DeviceTraits) => boolean,
  then: Reader<A>,
  otherwise: Reader<B>,
): Reader<A | B> {
  return { read: (arrival, device) => (when(arrival, device) ? then : otherwise).read(arrival, device) };
}
