import type { LucideIconData } from 'lucide-react/types'

// The package exports the drawing of each icon beside its component, and leaves it out of its types. All icons share one
// type file, so saying it for one says it for all.
declare module 'lucide-react/icons/send' {
  export const __iconData: LucideIconData
}
