import { passwordMinChars } from '../../../contract/account/account.limits.ts'
import { PasswordField } from '../../../widgets/kit/form/password-field.tsx'
import type { TextFieldProps } from '../../../widgets/kit/form/text-field.tsx'
import { commonPassword } from '../../messages.ts'
import { isCommonPassword } from './common-passwords.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** A field for a new password: shows the minimum length and warns of a common password. */
export function NewPasswordField(props: Omit<TextFieldProps, 'type' | 'hint' | 'value'> & { value: string }) {
  const t = useText()
  const hint = isCommonPassword(props.value) ? (
    <span className="common-password">{t(commonPassword)}</span>
  ) : (
    t('At least {number} characters', { number: passwordMinChars })
  )
  return <PasswordField {...props} required minLength={passwordMinChars} autoComplete="new-password" hint={hint} />
}
