import assert from 'node:assert/strict';
import type { NodeAPI } from 'node-red';
import ts from 'typescript';

import groupNodes = require('../../nodes/group');

import { everyGroup } from '../../src/catalogue';
import { type Definition, definitionsIn, keysOf, objectAt, property, read, resources } from './pages';
import { optionsOf } from './rows';

const actionResources: readonly string[] = everyGroup.map(({ resource }) => resource);

describe('the definitions that the Flow Library reads', () => {
  it('has pages to read', () => {
    for (const resource of ['device', 'virtual-device', 'door', 'tone'])
      assert.ok(resources.includes(resource), resource);
    for (const resource of ['door', 'tone']) assert.ok(actionResources.includes(resource), resource);
  });

  for (const resource of resources) {
    describe(`algo-${resource}`, () => {
      const page = read('dist', 'nodes', `${resource}.html`);
      const [definition] = definitionsIn(page) as [Definition];
      const { type, object } = definition;

      it('is one literal call, with a template of its type', () => {
        assert.equal(definitionsIn(page).length, 1);
        assert.equal(type, `algo-${resource}`);
        assert.equal(page.match(/data-template-name="([^"]+)"/)?.[1], type);
      });

      it('has unquoted keys and no spreads', () => {
        const objects = [object, objectAt(object, 'defaults')];
        if (property(object, 'credentials')) objects.push(objectAt(object, 'credentials'));
        for (const one of objects) {
          assert.ok(one.properties.length > 0);
          for (const key of keysOf(one)) assert.match(key, /^[a-zA-Z]+$/);
        }
      });

      it('has validators of two parameters, for only those may say what is wrong', () => {
        const validators: ts.FunctionExpression[] = [];
        const visit = (node: ts.Node): void => {
          if (ts.isPropertyAssignment(node) && node.name.getText() === 'validate') {
            assert.ok(ts.isFunctionExpression(node.initializer), node.getText());
            validators.push(node.initializer);
          }
          node.forEachChild(visit);
        };
        visit(object);
        assert.ok(validators.length > 0);
        for (const { parameters } of validators) {
          assert.equal(parameters.length, 2);
          assert.ok(parameters.every(({ initializer }) => initializer === undefined));
        }
      });

      it('leaves no placeholder behind', () => {
        assert.doesNotMatch(page, /\{\{/);
      });
    });
  }

  for (const resource of actionResources) {
    it(`gives algo-${resource} what every action node has`, () => {
      const [{ object }] = definitionsIn(read('dist', 'nodes', `${resource}.html`)) as [Definition];
      const literals = ['icon', 'inputs', 'outputs'].map((name) => property(object, name)?.getText());
      assert.deepEqual(literals, [`"${resource}.svg"`, '1', '1']);
      assert.deepEqual(keysOf(objectAt(object, 'defaults')), [
        'name',
        'target',
        'device',
        'group',
        'targets',
        ...(resource === 'request' ? [] : ['operation']),
        'parametersType',
        'parameters',
        'form',
        ...Object.keys(optionsOf(resource)),
        'split',
        'ttl',
        'retryFor',
        'endAfter',
        'rolling',
        'maxFailures',
        'duringAlert',
      ]);
    });

    it(`gives algo-${resource} an icon in white, and a color that it and the label stand out from`, () => {
      const [{ object }] = definitionsIn(read('dist', 'nodes', `${resource}.html`)) as [Definition];
      const icon = read('dist', 'nodes', 'icons', `${resource}.svg`);
      assert.match(icon, /viewBox="0 0 40 60"/);
      const paints = [...icon.matchAll(/(?:fill|stroke)="([^"]+)"/g)].map(([, paint]) => paint);
      assert.ok(paints.length > 0);
      assert.deepEqual(
        paints.filter((paint) => paint !== '#fff' && paint !== 'none'),
        [],
      );
      const color = luminance(String(property(object, 'color')?.getText()));
      assert.ok(contrast(color, luminance('#333333')) >= 4.5, 'label');
      assert.ok(contrast(color, luminance('#ffffff')) >= 2.7, 'icon, before the editor darkens its ground');
    });
  }

  it('gives the configuration nodes the properties of the contract, and the password as a credential', () => {
    const expected = {
      device: [
        'address',
        'auth',
        'certificate',
        'dryRun',
        'fingerprint',
        'firmware',
        'letDeviceDecide',
        'model',
        'name',
        'queueLimit',
        'tags',
        'timeout',
        'tls',
        'virtual',
      ],
      group: [
        'auth',
        'certificate',
        'devices',
        'dryRun',
        'letDeviceDecide',
        'maxParallel',
        'name',
        'queueLimit',
        'rows',
        'tags',
        'timeout',
        'tls',
      ],
      'virtual-device': ['auth', 'firmware', 'model', 'name', 'port'],
    };
    for (const [resource, keys] of Object.entries(expected)) {
      const [{ object }] = definitionsIn(read('dist', 'nodes', `${resource}.html`)) as [Definition];
      assert.deepEqual(keysOf(objectAt(object, 'defaults')).sort(), keys);
      assert.equal(property(object, 'category')?.getText(), '"config"');
      assert.equal(property(object, 'hasUsers')?.getText(), 'false');
      const password = objectAt(objectAt(object, 'credentials'), 'password');
      assert.equal(property(password, 'type')?.getText(), '"password"');
    }
  });

  it('declares the passwords of the rows of a group as the runtime does', () => {
    const page = read('dist', 'nodes', 'group.html');
    const script = page.match(/<script type="text\/javascript">([\s\S]*?)<\/script>/)?.[1] ?? '';
    let definition: { credentials?: object } = {};
    const nodes = {
      registerType: (_type: string, one: object) => {
        definition = one;
      },
      getType: () => definition,
    };
    new Function('RED', script)({ nodes });
    let options: { credentials?: object } = {};
    groupNodes({
      nodes: {
        registerType: (_type: string, _made: unknown, given: object) => {
          options = given;
        },
      },
    } as unknown as NodeAPI);
    assert.deepEqual(definition.credentials, options.credentials);
    assert.equal(Object.keys(options.credentials ?? {}).length, 1001);
  });

  it('declares the devices of a group as such, so that the editor exports and renames them with it', () => {
    const [{ object }] = definitionsIn(read('dist', 'nodes', 'group.html')) as [Definition];
    const devices = objectAt(objectAt(object, 'defaults'), 'devices');
    assert.equal(property(devices, 'type')?.getText(), '"algo-device[]"');
    assert.equal(property(objectAt(objectAt(object, 'defaults'), 'rows'), 'type'), undefined);
  });

  it('gives the node of all receipts an output and no input', () => {
    const [{ object }] = definitionsIn(read('dist', 'nodes', 'receipts.html')) as [Definition];
    const kinds = ['category', 'inputs', 'outputs'].map((name) => property(object, name)?.getText());
    assert.deepEqual(kinds, ['"algo_tools"', '0', '1']);
    assert.deepEqual(keysOf(objectAt(object, 'defaults')), ['name', 'show']);
  });
});

/** The relative luminance of a color that is written with six hexadecimal digits. */
function luminance(color: string): number {
  const digits = /#([\da-f]{6})/i.exec(color)?.[1] ?? '';
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
