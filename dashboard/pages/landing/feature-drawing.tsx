import type { ReactNode } from 'react'
import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { check, lock } from '../../../widgets/kit/icon/icons.ts'
import type { Translate } from '../../../widgets/lib/messages/messages.ts'
import type { FeatureDrawing as Drawing } from '../../content/features.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** A small drawing above a feature; the feature's text describes it. */
export function FeatureDrawing({ of }: { of: Drawing }) {
  const t = useText()
  return (
    <div className={`drawing ${of}`} aria-hidden="true">
      {drawings[of](t)}
    </div>
  )
}

const drawings: Readonly<Record<Drawing, (t: Translate<string>) => ReactNode>> = {
  deliverability: () => (
    <div className="drawing-slip">
      {['visitor-1', 'visitor-2', 'visitor-3'].map((name) => (
        <span key={name}>
          <Icon of={check} size={14} />
          {name}@example.org
          <i>250 OK</i>
        </span>
      ))}
    </div>
  ),
  analytics: () => (
    <svg viewBox="0 0 280 100" preserveAspectRatio="none">
      <path className="area" d="M0 86 20 80 48 62 76 66 104 40 132 46 160 30 188 34 216 18 244 24 280 10V100H0Z" />
      <path d="M0 86 20 80 48 62 76 66 104 40 132 46 160 30 188 34 216 18 244 24 280 10" />
      <path className="second" d="M0 94 20 92 48 84 76 86 104 74 132 77 160 66 188 69 216 58 244 60 280 50" />
    </svg>
  ),
  security: (t) => (
    <div className="drawing-key">
      {[
        ['Secret key', 'ck_••••••••••'],
        ['App password', 'sealed'],
      ].map(([what = '', shown = '']) => (
        <span key={what}>
          <Icon of={lock} size={15} />
          {t(what)}
          <code>{t(shown)}</code>
        </span>
      ))}
    </div>
  ),
  api: () => (
    <pre>
      {'POST /api/send-mail/ck_••••\n'}
      <b>{'{ "recipient_list": ["…"],\n  "subject": "…" }'}</b>
      {'\n200 OK'}
    </pre>
  ),
  team: (t) => (
    <div className="drawing-team">
      {[
        ['AN', 'Owner'],
        ['BK', 'Editor'],
        ['CM', 'Viewer'],
      ].map(([initials, role = '']) => (
        <span key={initials}>
          <i>{initials}</i>
          {t(role)}
        </span>
      ))}
    </div>
  ),
  templates: () => (
    <div className="drawing-sheets">
      {['head', 'plain', 'picture'].map((kind) => (
        <span key={kind} className={kind}>
          <i />
          <i />
          <i />
          <b />
        </span>
      ))}
    </div>
  ),
}
