/**
 * The rules of Home Assistant (2026) for a message of MQTT discovery that describes a whole device, with the platforms of
 * the example. Home Assistant drops a key that it does not know without a word, so that an error in a name is never seen:
 * here, an unknown key is refused.
 */
const text = { type: 'string' };
const flag = { type: 'boolean' };
const qos = { enum: [0, 1, 2] };
const published = { type: 'string', minLength: 1, pattern: '^[^+#\\u0000]+$' };
const subscribed = { type: 'string', minLength: 1 };
const texts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, text]));

const availability = {
  ...{ availability_topic: subscribed, ...texts('availability_template') },
  ...texts('payload_available', 'payload_not_available'),
  availability_mode: { enum: ['all', 'any', 'latest'] },
  availability: {
    type: 'array',
    items: {
      type: 'object',
      required: ['topic'],
      additionalProperties: false,
      properties: {
        topic: subscribed,
        ...texts('payload_available', 'payload_not_available', 'value_template'),
      },
    },
  },
};

const ofEach = {
  unique_id: { type: 'string', minLength: 1 },
  name: { type: ['string', 'null'] },
  default_entity_id: { type: 'string', pattern: '^[a-z_]+\\.[a-z0-9_]+$' },
  entity_category: { enum: ['config', 'diagnostic'] },
  ...{
    enabled_by_default: flag,
    visible_by_default: flag,
    qos,
    message_expiry_interval: { type: 'integer' },
  },
  ...{ ...texts('icon', 'entity_picture', 'json_attributes_template', 'encoding') },
  json_attributes_topic: subscribed,
  ...availability,
};

const readable = { state_topic: subscribed, value_template: text };
const commanded = { command_topic: published, state_topic: subscribed, optimistic: flag, retain: flag };

const component = (platform: string, properties: object, required: string[], more: object = {}) => ({
  type: 'object',
  required: ['platform', 'unique_id', ...required],
  additionalProperties: false,
  not: { required: ['availability', 'availability_topic'] },
  properties: { ...ofEach, ...properties, platform: { const: platform } },
  ...more,
});

const components = [
  component(
    'siren',
    {
      ...commanded,
      ...{
        available_tones: { type: 'array', items: text },
        support_duration: flag,
        support_volume_set: flag,
      },
      ...texts('command_template', 'command_off_template', 'payload_on', 'payload_off'),
      ...texts('state_on', 'state_off', 'state_value_template'),
    },
    ['command_topic'],
  ),
  component(
    'lock',
    {
      ...commanded,
      ...texts('value_template', 'code_format', 'command_template', 'payload_lock', 'payload_unlock'),
      ...texts('payload_open', 'payload_reset', 'state_jammed', 'state_locked', 'state_locking'),
      ...texts('state_open', 'state_opening', 'state_unlocked', 'state_unlocking'),
    },
    ['command_topic'],
  ),
  component(
    'switch',
    {
      ...commanded,
      device_class: { enum: ['outlet', 'switch'] },
      ...texts('value_template', 'command_template', 'payload_on', 'payload_off', 'state_on', 'state_off'),
    },
    ['command_topic'],
  ),
  component(
    'button',
    {
      ...{
        command_topic: published,
        retain: flag,
        device_class: { enum: ['identify', 'restart', 'update'] },
      },
      ...texts('command_template', 'payload_press'),
    },
    ['command_topic'],
  ),
  component(
    'binary_sensor',
    {
      // Home Assistant's list is longer: these are those of the example.
      ...{ ...readable, device_class: { enum: ['opening', 'safety'] }, force_update: flag },
      ...{ off_delay: { type: 'integer' }, expire_after: { type: 'integer' } },
      ...texts('payload_on', 'payload_off'),
    },
    ['state_topic'],
  ),
  component(
    'sensor',
    {
      ...{ ...readable, device_class: { enum: ['enum'] }, options: { type: 'array', items: text } },
      ...{ expire_after: { type: 'integer' }, ...texts('unit_of_measurement', 'state_class') },
    },
    ['state_topic'],
    { dependentRequired: { device_class: ['options'], options: ['device_class'] } },
  ),
  component('notify', { command_topic: published, command_template: text, retain: flag }, ['command_topic']),
];

const device = {
  type: 'object',
  additionalProperties: false,
  anyOf: [{ required: ['identifiers'] }, { required: ['connections'] }],
  properties: {
    identifiers: { type: 'array', items: text, minItems: 1 },
    connections: { type: 'array' },
    configuration_url: { type: 'string', pattern: '^(https?|homeassistant)://' },
    ...texts('manufacturer', 'model', 'model_id', 'name', 'hw_version', 'sw_version', 'serial_number'),
    ...texts('via_device', 'suggested_area'),
  },
};

export const discovery = {
  type: 'object',
  required: ['device', 'origin', 'components'],
  additionalProperties: false,
  properties: {
    ...{ ...availability, state_topic: subscribed, command_topic: published, qos, encoding: text },
    message_expiry_interval: { type: 'integer' },
    device,
    origin: {
      type: 'object',
      required: ['name'],
      additionalProperties: false,
      properties: texts('name', 'sw_version', 'support_url'),
    },
    components: { type: 'object', minProperties: 1, additionalProperties: { oneOf: components } },
  },
};
