import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { SmtpPhase } from '../../domain/smtp/smtp-outcome.ts'
import { toSmtpError } from './smtp-error.ts'

type Done<T> = (error?: Error | null, result?: T) => void

/** Runs one command of the library, which calls back only when a reply comes: a connection that ends first ends this too. */
export async function runSmtpCommand<T>(
  connection: SMTPConnection,
  phase: SmtpPhase,
  start: (done: Done<T>) => void,
  isHandedOver = () => false,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const onError = (error: Error) => reject(toSmtpError(error, phase, isHandedOver()))
  // A 421 closes the connection first and calls back with its reply right after: let it.
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
