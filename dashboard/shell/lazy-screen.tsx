import { useEffect, useState, type ComponentType } from 'react'
import { ErrorState } from '../../widgets/kit/feedback/states.tsx'
import { PageBoundary } from './page-boundary.tsx'
import { useText } from '../../widgets/kit/text/text.tsx'

/** A screen that is fetched when it is first needed. */
export interface LazyScreen<Props> {
  Screen: ComponentType<Props>
  /** Preloads it, so that it renders synchronously. Rejects when it fails to load. */
  load: () => Promise<void>
}

/**
 * Loads a screen when it is first rendered or preloaded. Not React's `lazy`: a nested Suspense boundary waits 300 ms
 * before it shows content that has already loaded.
 */
export function lazyScreen<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyScreen<Props> {
  let loading: Promise<ComponentType<Props>> | null = null
  let Loaded: ComponentType<Props> | null = null
  const fetch = () => {
    loading ??= load().then(
      (Component) => (Loaded = Component),
      (error: unknown) => {
        loading = null // The next render retries.
        throw error
      },
    )
    return loading
  }

  function Screen(props: Props) {
    const [state, setState] = useState<{ Component: ComponentType<Props> | null; isFailed: boolean; tries: number }>({
      Component: Loaded,
      isFailed: false,
      tries: 0,
    })
    const t = useText()
    const { Component, isFailed, tries } = state
    useEffect(() => {
      let isGone = false
      const settle = (Found: ComponentType<Props> | null) => {
        if (isGone) return
        // The same state for the same screen: another one would render it again and lose parts that wait for hydration.
        setState((known) =>
          known.Component !== null && known.Component === Found
            ? known
            : { Component: Found, isFailed: Found === null, tries },
        )
      }
      fetch().then(settle, () => settle(null))
      return () => {
        isGone = true
      }
    }, [tries])
    if (Component !== null) {
      return (
        <PageBoundary>
          <Component {...props} />
        </PageBoundary>
      )
    }
    if (!isFailed) return null
    return (
      <ErrorState
        title={t('This screen could not be loaded')}
        text={t('Check your connection.')}
        onRetry={() => setState({ Component: null, isFailed: false, tries: tries + 1 })}
      />
    )
  }
  return { Screen, load: () => fetch().then(() => undefined) }
}
