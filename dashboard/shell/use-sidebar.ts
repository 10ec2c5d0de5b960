import { useEffect, useState } from 'react'
import { readSidebar, saveSidebar, type Sidebar } from '../preferences.ts'

/** Where the sidebar is a sheet over the screen instead of beside it. */
const narrow = '(max-width: 800px)'

/**
 * The sidebar: as the person left it; in the focus layout a rail, on a small screen closed. Only outside both is a change
 * remembered.
 */
export function useSidebar(isFocus: boolean) {
  const [isNarrow, setIsNarrow] = useState(() => matchMedia(narrow).matches)
  const isRemembered = !isNarrow && !isFocus
  const [state, setState] = useState<Sidebar>(() => (isRemembered ? readSidebar() : 'collapsed'))
  const [wasRemembered, setWasRemembered] = useState(isRemembered)
  if (wasRemembered !== isRemembered) {
    setWasRemembered(isRemembered)
    setState(isRemembered ? readSidebar() : 'collapsed')
  }
  useEffect(() => {
    const media = matchMedia(narrow)
    const fit = () => setIsNarrow(media.matches)
    media.addEventListener('change', fit)
    return () => media.removeEventListener('change', fit)
  }, [])
  const set = (next: Sidebar) => {
    setState(next)
    if (isRemembered) saveSidebar(next)
  }
  return { isNarrow, state, set }
}
