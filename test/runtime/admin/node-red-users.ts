import assert from 'node:assert/strict';
import { type FlowNode, type NodeRed, startNodeRed } from '../../browser/node-red';

/** A bcrypt hash of "secret". */
const password = '$2b$04$xtfA2v/Sbok9pAlYcVDsPeBato1o8R1hWyDua4B9TCvqJecUH8auC';

/** People who log in: one who may do anything, one who may try what is deployed, one who may look. */
export const adminAuth = {
  type: 'credentials',
  users: [
    { username: 'boss', password, permissions: '*' },
    { username: 'operator', password, permissions: ['read', 'algo.write'] },
    { username: 'guest', password, permissions: 'read' },
  ],
};

export type Person = 'boss' | 'operator' | 'guest' | 'nobody';

/** What came back from an endpoint. */
export interface Answered {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** A real Node-RED with a login, and people who ask its endpoints. */
export class GuardedNodeRed {
  readonly #tokens = new Map<Person, string>();
  /** How often its flows were started. */
  #starts = 1;

  private constructor(readonly nodeRed: NodeRed) {}

  static async start(flow: readonly FlowNode[], settings: object = { adminAuth }): Promise<GuardedNodeRed> {
    return new GuardedNodeRed(await startNodeRed(flow, undefined, undefined, settings));
  }

  /** Deploys a flow, with the credentials that are in it. */
  async deploy(flow: readonly FlowNode[], person: Person = 'boss'): Promise<void> {
    const { status, text } = await this.post(person, 'flows', flow);
    assert.equal(status, 204, text);
    // The answer comes before the nodes are there.
    this.#starts += 1;
    await this.nodeRed.says(
      new RegExp(Array(this.#starts).fill('Started (?:flows|nodes)').join('[\\s\\S]*')),
    );
  }

  /** Asks an endpoint, as a person does. */
  async post(
    person: Person,
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answered> {
    const answer = await this.request(person, path, body, { headers });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json');
    return { status: answer.status, body: isJson ? JSON.parse(text) : {}, text };
  }

  /** The same for an answer that comes bit by bit. */
  async request(person: Person, path: string, body: unknown, more: RequestInit = {}): Promise<Response> {
    const token = person === 'nobody' ? undefined : await this.tokenOf(person);
    return fetch(`${this.nodeRed.url}${path}`, {
      ...more,
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...more.headers,
      },
      body: JSON.stringify(body),
    });
  }

  /** What a person shows who has logged in. */
  async tokenOf(person: Person): Promise<string> {
    const known = this.#tokens.get(person);
    if (known !== undefined) return known;
    const answer = await fetch(`${this.nodeRed.url}auth/token`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        client_id: 'node-red-editor',
        grant_type: 'password',
        scope: '',
        username: person,
        password: 'secret',
      }),
    });
    const { access_token: token } = (await answer.json()) as { access_token: string };
    assert.equal(typeof token, 'string', person);
    this.#tokens.set(person, token);
    return token;
  }
}
