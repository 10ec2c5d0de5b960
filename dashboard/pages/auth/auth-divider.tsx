/** The line between a form and another way in. */
export function AuthDivider() {
  return <p className="auth-divider">or</p>
}
