import { fsyncSync, openSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSmtpSink } from './smtp-sink.ts'

/** A mail as the sink process writes it, one JSON object per line. */
export interface SinkLine {
  to: string[]
  messageId: string
}

/**
 * A sink in a process of its own: `node smtp-sink-process.ts <file> <delayMs>`. Prints its port on the first line.
 * It writes a mail to disk before it replies, with a delay before and after, so that kills hit a sender in each of the
 * three phases. Exits when its input ends.
 */
const [, , file = '', delayMs = '0'] = process.argv
const book = openSync(file, 'a')
const pause = () => sleep(Number(delayMs))

const sink = await startSmtpSink({
  async onMessage({ to, raw }) {
    await pause()
    const messageId = /^Message-ID: (.*)\r$/im.exec(raw.toString('latin1'))?.[1] ?? ''
    writeSync(book, `${JSON.stringify({ to, messageId } satisfies SinkLine)}\n`)
    fsyncSync(book)
    await pause()
    return undefined
  },
})
process.stdout.write(`${sink.port}\n`)
for await (const _ of process.stdin);
await sink.close()
