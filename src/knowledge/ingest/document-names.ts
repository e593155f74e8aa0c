/** Names of files that are documents, where many files are that are none: a repository's programs, a channel's pictures. */
export const documentNames =
  /\.(?:md|markdown|mdown|mkd|mdx|txt|rst|adoc|html?|xhtml|pdf|docx?|pptx?|xlsx?|odt|ods|odp|rtf|epub|csv|tsv|eml|msg)$/i;
