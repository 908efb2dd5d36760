const { createHash, createHmac, randomBytes } = require('node:crypto');

/** The headers of a signed request; `body` is a Buffer or a string, or undefined. */
exports.sign = (method, path, body, type) => {
  const timestamp = Math.floor(Date.now() / 1000);
  const nonce = randomBytes(16).toString('hex');
  const md5 = body === undefined ? undefined : createHash('md5').update(body).digest('hex');
  const signedBody = md5 === undefined ? '' : `${md5}:${type}:`;
  const input = `${method}:${path}:${signedBody}${timestamp}:${nonce}`;
  const digest = createHmac('sha256', 'algo').update(input).digest('hex');
  const headers = {
    Date: new Date(timestamp * 1000).toUTCString(),
    Authorization: `hmac admin:${nonce}:${digest}`,
  };
  if (md5 === undefined) return headers;
  return { ...headers, 'Content-MD5': md5, 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) };
};
