import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { SmtpPhase } from '../../domain/smtp/smtp-outcome.ts'
import { toSmtpError } from './smtp-error.ts'

type Done<T> = (error?: Error | null, result?: T) => void

/**
 * Runs one nodemailer command as a promise. Nodemailer calls back only on a reply, so this also rejects when the
 * connection ends.
 */
export async function runSmtpCommand<T>(
  connection: SMTPConnection,
  phase: SmtpPhase,
  start: (done: Done<T>) => void,
  isHandedOver = () => false,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const onError = (error: Error) => reject(toSmtpError(error, phase, isHandedOver()))
  // On 421 nodemailer closes the connection before it calls back with the reply: wait for that call.
  const onEnd = () => {
    queueMicrotask(() => onError(Object.assign(new Error('Connection closed'), { code: 'ECONNECTION' })))
  }
  connection.once('error', onError)
  connection.once('end', onEnd)
  try {
    start((error, result) => {
      if (error) onError(error)
      else resolve(result as T)
    })
    return await promise
  } finally {
    connection.off('error', onError)
    connection.off('end', onEnd)
  }
}
