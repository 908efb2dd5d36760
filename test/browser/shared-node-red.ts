import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type FlowNode, type NodeRed, startNodeRed } from '../fixtures/node-red';

/**
 * Every dialog of Node-RED has an editor for the description of a node. The usual one takes longer to make than all
 * else in many of our dialogs; those that a newcomer opens have it.
 */
export const editorTheme = { codeEditor: { lib: 'ace' }, tours: false, palette: { catalogues: [] } };

/** Core's nodes in the flows of all files, beside those that every Node-RED of the tests has. */
const coreTypes = ['inject', 'debug', 'template', 'status', 'catch', 'http request', 'http response'];
const ofEachType: readonly FlowNode[] = [
  { id: 'types', type: 'tab', label: '', disabled: true },
  ...coreTypes.map((type) => ({ id: type, type, z: 'types', x: 0, y: 0, wires: [] })),
];

/**
 * One Node-RED for the files of a worker, one after the other: its start takes longer than the tests of most files.
 */
export class SharedNodeRed {
  private constructor(private readonly started: NodeRed) {
    // A worker of Mocha's does not learn which file is its last.
    process.once('exit', () => {
      started.kill();
      rmSync(started.directory, { recursive: true, force: true });
    });
  }

  static async start(): Promise<SharedNodeRed> {
    return new SharedNodeRed(await startNodeRed(ofEachType, undefined, undefined, { editorTheme }));
  }

  /** Whether the former files left nothing but flows: what they wrote to the journal would outlive those. */
  get isClean(): boolean {
    return !existsSync(path.join(this.started.directory, 'algo'));
  }

  stop(): Promise<void> {
    return this.started.stop();
  }

  /** Runs this flow and nothing else; its log begins here. */
  async run(flow: readonly FlowNode[]): Promise<NodeRed> {
    const { started } = this;
    // A node of the same id would keep the password and the context of the former one.
    await this.deploy([]);
    const from = started.log().length;
    await this.deploy(flow);
    return {
      ...started,
      log: () => started.log().slice(from),
      waitForOutput: (pattern) => started.waitForOutput(pattern, from),
      stop: async () => undefined,
    };
  }

  private async deploy(flow: readonly FlowNode[]): Promise<void> {
    const from = this.started.log().length;
    const { status } = await fetch(new URL('flows', this.started.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'node-red-deployment-type': 'full' },
      body: JSON.stringify(flow),
    });
    assert.equal(status, 204);
    const [said] = await this.started.waitForOutput(
      /Started flows|Waiting for missing types[\s\S]*?- \S+/,
      from,
    );
    assert.equal(said, 'Started flows', 'the type is not one of `coreTypes`');
  }
}
