import { useText } from '../../../widgets/kit/text/text.tsx'
/** The line between a form and an alternative sign-in. */
export function AuthDivider() {
  const t = useText()
  return <p className="auth-divider">{t('or')}</p>
}
