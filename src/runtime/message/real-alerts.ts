interface Place {
  readonly id: string;
  readonly where?: string | undefined;
}

/** Answers which device outputs real alerts own (docs/contract.md 2.6, *Other nodes at a device output*). */
export interface RealAlerts {
  /**
   * Returns the name of the alert that owns a device output; without a device output, the name of an alert
   * that uses the device. Undefined if there is none.
   */
  ownerOf(device: Place, deviceOutput: string | undefined): string | undefined;
  /**
   * Called before Node-RED stops by itself what a node has started.
   * @param nodeId id of the node
   * @returns true if the device output belongs to a real alert, so that the stop must not be sent; `later` if the
   * start of the alert still has to be sent, so that the stop must wait for its result
   */
  keepsOn(device: Place, deviceOutput: string, nodeId: string): boolean | 'later';
}

const known = new Set<RealAlerts>();

export function registerRealAlerts(alerts: RealAlerts): void {
  known.add(alerts);
}

export const realAlerts: RealAlerts = {
  ownerOf(device, deviceOutput) {
    for (const alerts of known) {
      const owner = alerts.ownerOf(device, deviceOutput);
      if (owner !== undefined) return owner;
    }
    return undefined;
  },
  keepsOn(...stop) {
    for (const alerts of known) {
      const keeps = alerts.keepsOn(...stop);
      if (keeps) return keeps;
    }
    return false;
  },
};
