import { useSnapshot } from 'valtio'
import { fontNames, type Design, type FontName, type Hex, type Paint } from '../../../../../contract/design/design.ts'
import { mailWidthMaxPx, mailWidthMinPx } from '../../../../../contract/design/design.limits.ts'
import { SelectField } from '../../../../kit/form/select-field.tsx'
import { useText } from '../../../../kit/text/text.tsx'
import type { DesignStore } from '../design-store.ts'
import { useContrastHint } from './shared-fields.tsx'
import { NumberField, PaintField, Toggle } from './fields.tsx'

const colours = [
  ['background', 'Background'],
  ['surface', 'Surface'],
  ['text', 'Text colour'],
  ['link', 'Link colour'],
  ['accent', 'Accent'],
] as const

const fonts: Readonly<Record<FontName, string>> = {
  ...{ helvetica: 'Helvetica', arial: 'Arial', verdana: 'Verdana', tahoma: 'Tahoma', trebuchet: 'Trebuchet' },
  ...{ georgia: 'Georgia', times: 'Times', courier: 'Courier', menlo: 'Menlo' },
}
const fontOptions = fontNames.map((value) => ({ value, text: fonts[value] }))

/** Colours, fonts and width of the whole mail. */
export function ThemeFields({ store }: { store: DesignStore }) {
  const t = useText()
  const { theme } = useSnapshot(store.state).design as Design
  const hint = useContrastHint('text', 'surface', theme)
  return (
    <section className="theme-fields" aria-label={t('Theme')}>
      <div className="design-list-head">
        <h2>{t('Theme')}</h2>
        <span>{t('for the whole mail')}</span>
      </div>
      <div className="theme-colours">
        {colours.map(([name, text]) => (
          <PaintField
            key={name}
            label={t(text)}
            value={lightOf(theme[name])}
            // The dark variant follows from the new colour.
            onValue={(value) => store.setTheme({ [name]: value })}
          />
        ))}
      </div>
      <p className="hint">{hint}</p>
      <div className="field-row">
        <SelectField
          label={t('Headings')}
          value={theme.headingFont}
          options={fontOptions}
          onValue={(value) => store.setTheme({ headingFont: value as FontName })}
        />
        <SelectField
          label={t('Text')}
          value={theme.font}
          options={fontOptions}
          onValue={(value) => store.setTheme({ font: value as FontName })}
        />
      </div>
      <WidthFields store={store} />
      <Toggle
        label={t('Follow dark mode')}
        value={theme.dark === 'auto'}
        onValue={(isAuto) => store.setTheme({ dark: isAuto ? 'auto' : 'off' })}
      />
    </section>
  )
}

function WidthFields({ store }: { store: DesignStore }) {
  const t = useText()
  const { width, radius } = useSnapshot(store.state).design.theme
  return (
    <div className="field-row">
      <NumberField
        label={t('Width of the mail')}
        value={width}
        min={mailWidthMinPx}
        max={mailWidthMaxPx}
        onValue={(px) => store.setTheme({ width: px })}
      />
      <NumberField label={t('Corners')} value={radius} max={40} onValue={(px) => store.setTheme({ radius: px })} />
    </div>
  )
}

const lightOf = (paint: Paint): Hex => (typeof paint === 'string' ? paint : paint.light)
