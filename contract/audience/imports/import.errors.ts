/** Error codes of imports. */
export const importErrors = {
  import_not_found: { status: 404, sentence: 'No import has this id.' },
  import_state: { status: 409, sentence: 'The import’s state does not allow this.' },
  file_too_large: { status: 413, sentence: 'The file is larger than 2 GiB. Split it into several files.' },
  encoding_unknown: { status: 422, sentence: 'The encoding of the file cannot be detected. Choose it.' },
  email_column_missing: { status: 422, sentence: 'No column goes to the address. Choose one.' },
  checksum_mismatch: { status: 422, sentence: 'The file arrived damaged. Upload it again.' },
  file_unreadable: { status: 422, sentence: 'The file cannot be read as a table.' },
} as const
