import { useDeferredValue, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { MailFrame, smallMailWidth } from '../../../widgets/kit/mail/mail-frame.tsx'
import { Segmented } from '../../../widgets/kit/form/segmented.tsx'
import { useScale } from '../../../widgets/kit/mail/use-scale.ts'
import { fillMessage } from '../../../widgets/compose/preview/preview.ts'
import type { DesignerStore } from './designer-store.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

const widths = [
  { value: 'desktop', text: 'Desktop' },
  { value: 'phone', text: 'Phone' },
] as const

/** Where the screen itself is a phone's, a desktop's mail made small could not be read. */
const isPhone = () => matchMedia('(max-width: 600px)').matches

/**
 * The body as it is written, in a sandboxed frame 500 px high (spec §2); as on a desktop it is made small rather than
 * squeezed. Drawn after the keystroke, never before it.
 */
export function DesignPreview({ store }: { store: DesignerStore }) {
  const t = useText()
  const { design, sample } = useSnapshot(store.state)
  const [width, setWidth] = useState<'desktop' | 'phone'>(() => (isPhone() ? 'phone' : 'desktop'))
  const frame = useRef<HTMLDivElement>(null)
  useScale(frame, smallMailWidth)
  const body = useDeferredValue(design.body)
  // As in the composer: a variable without a value shows its default, or nothing.
  const mail = fillMessage(design.subject, body, sample)
  return (
    <section className="design-preview" aria-label={t('Preview')}>
      <div className="design-preview-head">
        <h2>{t('Preview')}</h2>
        <Segmented
          label={t('Show the template as on')}
          options={widths.map((one) => ({ ...one, text: t(one.text) }))}
          value={width}
          onValue={setWidth}
        />
      </div>
      <div className={`panel design-mail ${width}`}>
        <div className="design-subject">{mail.subject || t('No subject yet')}</div>
        <div className="design-frame" ref={frame}>
          <MailFrame html={mail.html} title={t('Preview of the template')} />
        </div>
      </div>
    </section>
  )
}
