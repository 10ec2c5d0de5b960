import type { Block, Colour, Theme } from '../../../../../contract/design/design.ts'
import { isAllowedAddress } from '../../../../../mail-design/check-texts.ts'
import { contrastOf } from '../../../../../mail-design/colours.ts'
import { Segmented } from '../../../../kit/form/segmented.tsx'
import { TextField } from '../../../../kit/form/text-field.tsx'
import { useText } from '../../../../kit/text/text.tsx'
import { emptyAddress } from '../document/new-blocks.ts'

export interface BlockFieldsProps<Of extends Block = Block> {
  block: Of
  theme: Theme
  /** What is behind the block. */
  background: Colour
  /** `key` names the field. */
  onChange: (key: string, change: Changes<Of>) => void
  /** Opens the library of images. */
  onPick: () => void
}

/** New values; undefined takes one away. */
export type Changes<Of> = { [Name in keyof Of]?: Of[Name] | undefined }

/** An address, with a sentence while it cannot be used. */
export function AddressField({
  label,
  value,
  hint,
  onValue,
}: {
  label: string
  value: string
  hint?: string
  onValue: (value: string) => void
}) {
  const t = useText()
  const isBad = value === emptyAddress || !isAllowedAddress(value)
  return (
    <TextField
      label={label}
      value={value}
      inputMode="url"
      autoCapitalize="off"
      spellCheck={false}
      hint={hint}
      problem={isBad ? t('Write an address that begins with https://, http://, mailto: or tel:.') : null}
      onValue={onValue}
    />
  )
}

/** How well a text is read on a fill, in words. */
export function useContrastHint(text: Colour, fill: Colour, theme: Theme): string {
  const t = useText()
  const ratio = contrastOf(text, fill, theme)
  const figure = ratio.toFixed(1)
  return ratio >= 4.5
    ? t('Contrast {figure}, easy to read', { figure })
    : t('Contrast {figure}, hard to read. Choose colours that differ more.', { figure })
}

export function AlignField({
  value,
  onValue,
}: {
  value: string
  onValue: (value: 'left' | 'center' | 'right') => void
}) {
  const t = useText()
  return (
    <div className="field">
      <span className="label">{t('Place')}</span>
      <Segmented
        label={t('Place')}
        options={[
          { value: 'left', text: t('Left') },
          { value: 'center', text: t('Centre') },
          { value: 'right', text: t('Right') },
        ]}
        value={value as 'left'}
        onValue={onValue}
      />
    </div>
  )
}

/** Leaves out what is undefined: a design holds values only. */
export function without<Of extends object>(value: Of): Of {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Of
}
