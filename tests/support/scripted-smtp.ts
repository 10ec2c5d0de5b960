import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'

/** The input of a mail server: commands, and messages. */
export type Step = 'greeting' | 'EHLO' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'message' | 'RSET' | 'QUIT'

/** Reply lines; or a fault: close the connection, reset it (RST), close its own side, never reply again. */
export type ScriptAction = `${number}${' ' | '-'}${string}` | 'cut' | 'reset' | 'half-close' | 'silence' | undefined

export interface ScriptedOptions {
  /** Default PIPELINING, SIZE, 8BITMIME, SMTPUTF8. */
  offers?: readonly string[]
  /** Called at every step; `count` is how often that step occurred before. Undefined: the default reply. */
  script?: (step: Step, count: number) => ScriptAction
  /** Splits replies into chunks of this many bytes. */
  pieceBytes?: number
}

/** A mail server that follows a script, line by line: for faulty SMTP servers. */
export interface ScriptedSmtp {
  port: number
  /** Messages that it answered with a 2xx, as received between DATA and the final dot. */
  readonly taken: readonly { to: string; body: string }[]
  /** Messages received completely, with any reply. */
  readonly came: readonly string[]
  /** Commands, in order. */
  readonly commands: readonly string[]
  close: () => Promise<void>
}

const good: Record<Step, string> = {
  greeting: '220 ready',
  EHLO: '',
  AUTH: '235 2.7.0 In',
  MAIL: '250 2.1.0 OK',
  RCPT: '250 2.1.5 OK',
  DATA: '354 Go',
  message: '250 2.0.0 Taken',
  RSET: '250 2.0.0 Fresh',
  QUIT: '221 2.0.0 Bye',
}

export async function startScriptedSmtp(options: ScriptedOptions = {}): Promise<ScriptedSmtp> {
  const { offers = ['PIPELINING', 'SIZE 50000000', '8BITMIME', 'SMTPUTF8'], script = () => undefined } = options
  const counts = new Map<Step, number>()
  const taken: { to: string; body: string }[] = []
  const came: string[] = []
  const commands: string[] = []
  const sockets = new Set<Socket>()

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    let rest = ''
    let to = ''
    let isInMessage = false
    let isSilent = false
    /** The progress of the accepted envelope. */
    let envelope: 'none' | 'sender' | 'recipient' = 'none'

    const say = (text: string) => {
      const bytes = Buffer.from(`${text}\r\n`)
      const size = options.pieceBytes ?? bytes.length
      for (let at = 0; at < bytes.length; at += size) socket.write(bytes.subarray(at, at + size))
    }
    /** Returns the reply sent; null if none was. */
    const act = (step: Step): string | null => {
      const count = counts.get(step) ?? 0
      counts.set(step, count + 1)
      const doing = isSilent ? 'silence' : (script(step, count) ?? outOfStep(step))
      if (doing === 'silence') isSilent = true
      if (doing === 'cut') socket.destroy()
      else if (doing === 'reset') socket.resetAndDestroy()
      else if (doing === 'half-close') socket.end()
      else if (doing !== 'silence') {
        const text = doing ?? (step === 'EHLO' ? ehlo(offers) : good[step])
        say(text)
        if (text.startsWith('421') || step === 'QUIT') socket.end()
        note(step, text)
        return text
      }
      return null
    }
    const outOfStep = (step: Step): ScriptAction => {
      if (step === 'MAIL' && envelope !== 'none') return '503 5.5.1 An envelope is open'
      if (step === 'RCPT' && envelope === 'none') return '503 5.5.1 No sender'
      return step === 'DATA' && envelope !== 'recipient' ? '554 5.5.1 No recipients' : undefined
    }
    const note = (step: Step, text: string) => {
      if (step === 'RSET' || step === 'message') envelope = 'none'
      else if (text.startsWith('2') && step === 'MAIL') envelope = 'sender'
      else if (text.startsWith('2') && step === 'RCPT') envelope = 'recipient'
    }
    const hearLine = (line: string) => {
      commands.push(line)
      const step = line.slice(0, 4).toUpperCase() as Step
      if (step === 'RCPT') to = /^[^<]*<(.*)>/.exec(line)?.[1] ?? ''
      const replied = act(step in good ? step : 'RSET')
      if (step === 'DATA' && replied?.startsWith('3') === true) isInMessage = true
    }
    const hearMessage = (body: string) => {
      came.push(body)
      isInMessage = false
      if (act('message')?.startsWith('2') === true) taken.push({ to, body })
    }

    socket.on('data', (piece) => {
      rest += piece.toString('latin1')
      while (!socket.destroyed) {
        const end = isInMessage && rest.startsWith('.\r\n') ? 0 : rest.indexOf(isInMessage ? '\r\n.\r\n' : '\r\n')
        if (end < 0) return
        const text = rest.slice(0, end)
        rest = rest.slice(end + (isInMessage ? (end === 0 && rest.startsWith('.\r\n') ? 3 : 5) : 2))
        if (isInMessage) hearMessage(text)
        else hearLine(text)
      }
    })
    act('greeting')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    taken,
    came,
    commands,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function ehlo(offers: readonly string[]): string {
  const lines = ['scripted', ...offers, 'AUTH PLAIN LOGIN']
  return lines.map((line, at) => `250${at === lines.length - 1 ? ' ' : '-'}${line}`).join('\r\n')
}
