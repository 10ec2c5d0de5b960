/** What somebody accepts with a new account; `act` says how they make one here. */
export function TermsNotice({ act }: { act: string }) {
  return (
    <p className="auth-footer">
      {act} you accept the <a href="/termspage">Terms of Service</a> and the <a href="/privacypage">Privacy Policy</a>.
    </p>
  )
}
