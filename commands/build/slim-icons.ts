import type { Plugin } from 'rollup'

/** Leaves of Lucide's drawings what `widgets/kit/icon/icon.tsx` draws: names, aliases and React keys are a third of their bytes. */
export function slimIcons(): Plugin {
  return {
    name: 'slim-icons',
    transform(code, id) {
      if (!/[\\/]lucide-react[\\/].*[\\/]icons[\\/][\w-]+\.mjs$/.test(id)) return null
      const slim = code
        .replaceAll(/,\s+key: "\w+"/g, '')
        .replace(/\bname: "[\w-]+",\s+size: 24,/, '')
        .replace(/,\s+aliases: \[[^\]]*\]/, '')
        .replace('__iconData.node;', '')
      return { code: slim, map: null }
    },
  }
}
