import { useText } from '../../../widgets/kit/text/text.tsx'
/** The line between a form and another way in. */
export function AuthDivider() {
  const t = useText()
  return <p className="auth-divider">{t('or')}</p>
}
