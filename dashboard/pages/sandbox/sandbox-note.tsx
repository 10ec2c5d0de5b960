import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { useApp } from '../../app.ts'

/** Where account mails arrive on a server with its sandbox on; nothing on any other. */
export function SandboxNote() {
  const { sandbox } = useApp()
  const state = useSnapshot(sandbox.state)
  useEffect(() => void sandbox.check(), [sandbox])
  if (state.sandbox !== 'on') return null
  return (
    <p className="sandbox-note">
      This server has its sandbox on: the mail arrives in the <a href="/sandbox">sandbox inbox</a>.
    </p>
  )
}
