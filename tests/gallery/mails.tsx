import { MailFrame, MailThumbnail } from '../../widgets/kit/mail/mail-frame.tsx'
import { mountInShadow } from '../../widgets/kit/shadow/shadow-host.tsx'
import { mountTemplatePicker } from '../../widgets/template-picker/template-picker-element.tsx'

let leave = () => undefined as unknown

function place(): HTMLElement {
  leave()
  const main = document.querySelector('main')
  if (main === null) throw new Error('The page has no mount point.')
  return main
}

/** Shows a mail in a frame and as a thumbnail, in a third-party page: for tests of the frame alone. */
function showMail(html: string): void {
  leave = mountInShadow(
    place(),
    <>
      <div style={{ height: 300, width: 500 }}>
        <MailFrame html={html} title="Mail" />
      </div>
      <div style={{ width: 200 }}>
        <MailThumbnail html={html} />
      </div>
    </>,
  )
}

/** Mounts the template picker on this page's own server. */
function showPicker(): void {
  const session = { apiBase: '', token: () => 'at_1', shared: new Map<string, object>() }
  leave = mountTemplatePicker(place(), { session, notify: () => undefined, options: { hostedKey: 'hr_1' } })
}

Object.assign(window, { showMail, showPicker })
