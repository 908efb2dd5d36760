import { isPlainObject } from '../../catalogue/coerce';
import type { Operation } from '../../catalogue/operation';
import { deviceOutputFor } from '../../client/queue/entry';
import type { Outputs } from '../../sites/order';
import { type JobMessage, operationNameOf } from '../../sites/wire';
import { alertNamed } from '../alert/named-alert';
import { readActions } from '../alert/properties';
import { findTargets, type TargetProperties } from '../device/targets';
import { kindOf } from '../message/kinds';

const none: Outputs = { names: [], isStop: false };

export function outputsOf({ command, devices }: Pick<JobMessage, 'command' | 'devices'>): Outputs {
  try {
    if ('alert' in command) {
      const own = `alert ${command.alert}`;
      // An acknowledgement uses no device, but comes after an earlier start of its alert.
      if (command.action === 'acknowledge') return { names: [own], isStop: false };
      const names = [own, ...outputsOfAlert(command.alert, devices)];
      return { names, isStop: command.action === 'clear' };
    }
    const operation = operationOf(operationNameOf(command));
    const deviceOutput = operation && deviceOutputFor(operation, command.parameters)?.name;
    if (!operation || deviceOutput === undefined) return none;
    const names = locationsOf({ target: 'msg' }, devices).map((location) => `${location} ${deviceOutput}`);
    return { names, isStop: operation.isStop === true };
  } catch {
    // The error is reported when the job runs.
    return none;
  }
}

function outputsOfAlert(name: string, devices: readonly string[]): string[] {
  try {
    const { properties } = alertNamed(name);
    const locations = locationsOf(properties, devices);
    return readActions(properties).flatMap(({ operation: id, form }) => {
      const operation = operationOf(id);
      const deviceOutput = operation && deviceOutputFor(operation, valuesIn(form))?.name;
      return deviceOutput === undefined ? [] : locations.map((location) => `${location} ${deviceOutput}`);
    });
  } catch {
    return [];
  }
}

function operationOf(operationName: string): Operation | undefined {
  const id = operationName.split('/')[1];
  return kindOf(operationName)?.group.operations.find((operation) => operation.id === id);
}

/**
 * Returns `where` of each target's `Device`, the same text for all names of a device. A device without
 * `where` has its id instead, an unknown target its name.
 */
function locationsOf(properties: TargetProperties, devices: readonly string[]): string[] {
  const { list } = findTargets(properties, { device: devices });
  return [...new Set(list.map(({ device, asked }) => (device ? (device.where ?? device.id) : asked)))];
}

function valuesIn(form: unknown): Record<string, unknown> {
  if (!isPlainObject(form)) return {};
  return Object.fromEntries(
    Object.entries(form).map(([name, value]) => [name, isPlainObject(value) ? value.value : value]),
  );
}
