import { useText } from '../../../widgets/kit/text/text.tsx'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'
/** What somebody accepts with a new account; `act` says how they make one here. */
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
