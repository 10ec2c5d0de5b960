import { useSyncExternalStore } from 'react'
import { monitor, moon, sun } from '../../widgets/kit/icon/icons.ts'
import { Segmented } from '../../widgets/kit/form/segmented.tsx'
import { onSchemeChange, readScheme, setScheme, type Scheme } from '../preferences.ts'
import { useText } from '../../widgets/kit/text/text.tsx'

const schemes = [
  { value: 'system', text: 'System', icon: monitor },
  { value: 'light', text: 'Light', icon: sun },
  { value: 'dark', text: 'Dark', icon: moon },
] as const

/** Light, dark, or as the visitor's system has it. */
export function SchemeSwitch() {
  const t = useText()
  const scheme = useSyncExternalStore<Scheme>(onSchemeChange, readScheme, () => 'system')
  return (
    <Segmented
      label={t('Colour scheme')}
      options={schemes.map((one) => ({ ...one, text: t(one.text) }))}
      value={scheme}
      onValue={setScheme}
    />
  )
}
