/** What is not attached, by kind: why, and the extensions of its files. */
export const refusedKinds = {
  program: {
    reason: 'Programs are refused by mail servers. Put it on a web page and link to it.',
    extensions: `ade adp apk app appx appxbundle bin cab chm com cpl deb diagcab dll dmp ex exe gadget hlp inf ins ipa isp
      jar jnlp lib lnk mde mpkg msc msi msix msixbundle msp mst nsh ocx pif pkg rpm scr sys vxd wim xll`,
  },
  script: {
    reason: 'Scripts are refused by mail servers. Put it on a web page and link to it.',
    extensions: `bash bat cjs cmd command csh fish hta js jse ksh mjs pl ps1 ps1xml ps2 psc1 psd1 psm1 py pyc pyw rb reg
      scf sct sh shb vb vbe vbs ws wsc wsf wsh zsh`,
  },
  disk: {
    reason: 'Disk images are refused by mail servers. Put it on a web page and link to it.',
    extensions: 'dmg img iso qcow2 sparseimage toast udf vdi vhd vhdx vmdk',
  },
  closed: {
    reason:
      'This kind of archive cannot be examined, so mail servers refuse it. Send a ZIP archive without a password.',
    extensions: '7z ace arc arj b64 bz2 cpio gz lha lz lz4 lzh lzma rar tbz tbz2 tgz txz uue xar xz z zst',
  },
} as const
export type RefusedKind = keyof typeof refusedKinds

export const passwordReason = 'Archives with a password are refused by mail servers. Send it without a password.'
export const holdsReason =
  'The archive holds a program, a script or a disk image, which mail servers refuse. Take it out.'
export const manyReason = 'The archive holds more than 10,000 files. Send fewer, or link to it.'
export const brokenReason = 'The archive is damaged. Pack it again.'

const kindOfExtension = new Map<string, RefusedKind>(
  Object.entries(refusedKinds).flatMap(([kind, { extensions }]) =>
    extensions.split(/\s+/).map((extension): [string, RefusedKind] => [extension, kind as RefusedKind]),
  ),
)

/** The kind of a file by its name; `setup.exe.` and `setup.exe ` count as `setup.exe`, as on Windows. */
export function kindOfName(name: string): RefusedKind | null {
  // A pattern such as /[.\s]+$/ takes quadratic time.
  let end = name.length
  while (end > 0 && /[.\s]/.test(name.charAt(end - 1))) end -= 1
  const trimmed = name.slice(0, end).toLowerCase()
  return kindOfExtension.get(trimmed.slice(trimmed.lastIndexOf('.') + 1)) ?? null
}

/** First bytes of programs, disk images and scripts, as latin1. */
const signatures: readonly [RefusedKind, string, at?: number][] = [
  ['program', 'MZ'],
  ['program', '\x7fELF'],
  ['program', '\xfe\xed\xfa\xce'],
  ['program', '\xfe\xed\xfa\xcf'],
  ['program', '\xce\xfa\xed\xfe'],
  ['program', '\xcf\xfa\xed\xfe'],
  ['program', '\xca\xfe\xba\xbe'],
  ['program', '\x00asm'],
  ['program', '\xed\xab\xee\xdb'],
  ['program', '!<arch>\ndebian'],
  ['program', 'L\x00\x00\x00\x01\x14\x02\x00'],
  ['program', 'MSCF\x00\x00\x00\x00'],
  ['program', 'ITSF'],
  ['script', '#!'],
  ['disk', 'CD001', 0x8001],
  ['disk', 'conectix'],
  ['disk', 'vhdxfile'],
  ['disk', 'KDMV'],
  ['disk', 'QFI\xfb'],
  ['disk', 'koly', -512],
  ['closed', "7z\xbc\xaf'\x1c"],
  ['closed', 'Rar!\x1a\x07'],
  ['closed', '\xfd7zXZ\x00'],
  ['closed', 'BZh'],
  ['closed', '\x1f\x8b'],
  ['closed', '\x28\xb5\x2f\xfd'],
  ['closed', 'xar!'],
]

/** The kind of a file by its bytes, under whatever name. */
export function kindOfBytes(bytes: Uint8Array): RefusedKind | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found = signatures.find(([, signature, at = 0]) => {
    const from = at < 0 ? file.length + at : at
    return from >= 0 && file.toString('latin1', from, from + signature.length) === signature
  })
  return found?.[0] ?? null
}
