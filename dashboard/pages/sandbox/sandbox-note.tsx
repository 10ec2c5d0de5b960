import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { useApp } from '../../app.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'

/** Where account mails arrive on a server with its sandbox on; nothing on any other. */
export function SandboxNote() {
  const t = useText()
  const { sandbox } = useApp()
  const state = useSnapshot(sandbox.state)
  useEffect(() => void sandbox.check(), [sandbox])
  if (state.sandbox !== 'on') return null
  return (
    <p className="sandbox-note">
      {richText(t, 'This server has its sandbox on: the mail arrives in the {link}.', {
        link: <a href="/sandbox">{t('sandbox inbox')}</a>,
      })}
    </p>
  )
}
