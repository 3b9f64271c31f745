// A sink that answers every request at once with the same small answer, over bare sockets, so that it costs
// less than its clients. Started as a child process by benchmarks; tells its port through the IPC channel.
import { createServer } from 'node:net';
import { crc32 } from 'node:zlib';

const BODY = '{"ConsumedCapacity":{"CapacityUnits":1,"Table":{"CapacityUnits":1},"TableName":"bench"}}';
const ANSWER = Buffer.from(
  `HTTP/1.1 200 OK\r\nserver: sink\r\ncontent-type: application/x-amz-json-1.0\r\n` +
    `x-amzn-requestid: 0000000000000000000000000000000000000000000000000000\r\n` +
    `x-amz-crc32: ${crc32(BODY)}\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
);
const HEAD_END = Buffer.from('\r\n\r\n');

const server = createServer({ noDelay: true }, (socket) => {
  let pending = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', (piece) => {
    pending = pending.length === 0 ? piece : Buffer.concat([pending, piece]);
    for (let size = requestSize(pending); size !== undefined; size = requestSize(pending)) {
      pending = pending.subarray(size);
      socket.write(ANSWER);
    }
  });
});

function requestSize(bytes: Buffer): number | undefined {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const length = /content-length: *(\d+)/i.exec(bytes.toString('latin1', 0, headEnd))?.[1] ?? '0';
  const size = headEnd + 4 + Number(length);
  return bytes.length < size ? undefined : size;
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address ? address.port : 0);
});
process.on('disconnect', () => process.exit(0));
