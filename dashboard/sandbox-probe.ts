import { proxy } from 'valtio/vanilla'
import type { Session } from '../client/core/http.ts'
import { listSandboxMessages } from '../client/mail/sandbox.ts'

/** Whether the server has its sandbox on: `unknown` until `look` has returned. A valtio proxy. */
export interface SandboxProbe {
  readonly state: { sandbox: 'unknown' | 'on' | 'off' }
  /** Asks the server once; returns whether it is on. */
  check(): Promise<boolean>
}

/** Detects the sandbox of the server: without it, its addresses do not exist. */
export function createSandboxProbe(session: Session): SandboxProbe {
  const state = proxy<SandboxProbe['state']>({ sandbox: 'unknown' })
  let asked: Promise<boolean> | null = null
  const ask = async () => {
    const isOn = await listSandboxMessages(session, { limit: 1 }).then(
      () => true,
      () => false,
    )
    state.sandbox = isOn ? 'on' : 'off'
    return isOn
  }
  return { state, check: () => (asked ??= ask()) }
}
