import libmime from 'libmime'

/** Names that every mail system writes for UTF-8 and its subset. */
const utf8 = /^(?:utf-?8|us-ascii|ascii|)$/i
const refused = /^(?:utf-?7|base64|hex|binary|ucs-?[24].*)$/i
const fallback = 'windows-1252'

/** Decodes bytes; an unknown or refused charset, and invalid UTF-8, is read as Windows-1252. Never throws. */
export function decodeCharset(bytes: Buffer, charset: string): string {
  const name = charset.trim().slice(0, 40)
  if (utf8.test(name)) {
    const text = bytes.toString('utf8')
    return text.includes('\uFFFD') && !isCutUtf8(bytes, text) ? decodeSafely(bytes, fallback) : text
  }
  return decodeSafely(bytes, refused.test(name) ? fallback : name)
}

/** Whether only the last character is incomplete, as in a source that was cut. */
function isCutUtf8(bytes: Buffer, text: string): boolean {
  return text.indexOf('\uFFFD') >= text.length - 3 && bytes.length > 3
}

// oxlint-disable-next-line sendwright/module-state -- a cache
const decoders = new Map<string, TextDecoder | null>()

function decoderOf(charset: string): TextDecoder | null {
  const key = charset.toLowerCase()
  let decoder = decoders.get(key)
  if (decoder === undefined) {
    try {
      decoder = new TextDecoder(libmime.normalizeCharset(key))
    } catch {
      decoder = null // Unknown.
    }
    // Names come from mails: only known ones are kept.
    if (decoder) decoders.set(key, decoder)
  }
  return decoder
}

function decodeSafely(bytes: Buffer, charset: string): string {
  const decoder = decoderOf(charset) ?? decoderOf(fallback)
  return decoder ? decoder.decode(bytes) : bytes.toString('latin1')
}
