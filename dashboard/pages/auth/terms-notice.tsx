import { useText } from '../../../widgets/kit/text/text.tsx'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'
/** The documents that a new account accepts; `act` describes the action. */
export function TermsNotice({ act }: { act: string }) {
  const t = useText()
  return (
    <p className="auth-footer">
      {richText(t, '{act} you accept the {terms} and the {privacy}.', {
        act,
        terms: <a href="/termspage">{t('Terms of Service')}</a>,
        privacy: <a href="/privacypage">{t('Privacy Policy')}</a>,
      })}
    </p>
  )
}
