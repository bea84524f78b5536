import type { WriteStream } from 'node:tty';

/** Lines of a log between two signs of life. */
const STEP = 10;

/** Progress of a replay: one line that is rewritten on a terminal, now and then a line in a log. */
export function progress(stream: WriteStream): (lane: string, done: number, of: number) => void {
  return (lane, done, of) => {
    const line = `replay      ${lane}: ${done} of ${of} scenarios`;
    if (stream.isTTY) stream.write(`\r\u001b[2K${line}${done === of ? '\n' : ''}`);
    else if (done === of || done % STEP === 0) stream.write(`${line}\n`);
  };
}
