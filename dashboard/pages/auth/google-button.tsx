import { useEffect, useRef, type MouseEvent, type ReactNode } from 'react'
import { googleSignInAddress } from '../../../client/account/google.ts'
import { ButtonLink } from '../../../widgets/kit/form/button.tsx'
import { useApp } from '../../app.ts'
import { AuthDivider } from './auth-divider.tsx'

/** Sign-in with Google, below a form. A server without it reports that at /login. */
export function GoogleButton({ children }: { children: ReactNode }) {
  return (
    <>
      <AuthDivider />
      <GoogleLink>{children}</GoogleLink>
    </>
  )
}

/**
 * Opens Google by a link: the content security policy allows no form. A second click while the first is in progress
 * does nothing: it would overwrite the state of the first.
 */
function GoogleLink({ children }: { children: ReactNode }) {
  const { session } = useApp()
  const isUnderWay = useRef(false)
  useEffect(() => {
    // After Back from Google, the page can be restored from the cache as it was left.
    const onShow = () => {
      isUnderWay.current = false
    }
    window.addEventListener('pageshow', onShow)
    return () => window.removeEventListener('pageshow', onShow)
  }, [])
  const onClick = (event: MouseEvent) => {
    const staysHere = event.metaKey || event.ctrlKey || event.shiftKey
    if (isUnderWay.current) event.preventDefault()
    else isUnderWay.current = !staysHere
  }
  return (
    // With a target the router ignores the link.
    <ButtonLink href={googleSignInAddress(session)} target="_self" onClick={onClick}>
      <GoogleMark />
      {children}
    </ButtonLink>
  )
}

/** Google's mark in its own colours, as its branding guidelines require. */
function GoogleMark() {
  return (
    <svg width="18" height="18" viewBox="0 0 48 48" aria-hidden="true">
      <path
        fill="#4285F4"
        d="M47.5 24.5c0-1.6-.1-3.2-.4-4.7H24v9h13.2c-.6 3-2.3 5.6-4.9 7.3v6h7.9c4.6-4.2 7.3-10.5 7.3-17.6z"
      />
      <path
        fill="#34A853"
        d="M24 48c6.6 0 12.2-2.2 16.2-5.9l-7.9-6c-2.2 1.5-5 2.3-8.3 2.3-6.4 0-11.8-4.3-13.7-10.1H2.1v6.2C6.1 42.6 14.4 48 24 48z"
      />
      <path
        fill="#FBBC05"
        d="M10.3 28.3c-.5-1.5-.8-3-.8-4.6s.3-3.1.8-4.6v-6.2H2.1C.8 15.9 0 19.7 0 23.7s.8 7.8 2.1 10.8z"
      />
      <path
        fill="#EA4335"
        d="M24 9.5c3.6 0 6.8 1.2 9.4 3.7l7-7C36.2 2.4 30.6 0 24 0 14.4 0 6.1 5.4 2.1 13.3l8.2 6.2C12.2 13.8 17.6 9.5 24 9.5z"
      />
    </svg>
  )
}
