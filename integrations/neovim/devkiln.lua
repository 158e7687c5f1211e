-- Shares code and logs from Neovim: :DevkilnSnippet and :DevkilnLog share the
-- buffer, or the lines of a range, print the link and put it into the register +.
-- Secrets are masked first. devkiln must be on the PATH, and know a server: by
-- devkiln login, or by DEVKILN_URL and DEVKILN_KEY. To load it:
--
--   :luafile devkiln.lua

local function share(arguments, range)
  local lines = vim.api.nvim_buf_get_lines(0, range.line1 - 1, range.line2, false)
  local title = vim.fn.expand('%:t')
  local command = vim.list_extend({ 'devkiln' }, arguments)
  vim.list_extend(command, { '--mask', '--json' })
  if title ~= '' then
    vim.list_extend(command, { '--title', title })
  end
  -- Standard error has words for people beside the JSON, so it is kept apart.
  local out, err = {}, {}
  local job = vim.fn.jobstart(command, {
    stdout_buffered = true,
    stderr_buffered = true,
    on_stdout = function(_, data) out = data end,
    on_stderr = function(_, data) err = data end,
  })
  vim.fn.chansend(job, table.concat(lines, '\n') .. '\n')
  vim.fn.chanclose(job, 'stdin')
  if vim.fn.jobwait({ job }, 30000)[1] ~= 0 then
    vim.notify('devkiln: ' .. table.concat(err, ' '), vim.log.levels.ERROR)
    return
  end
  local link = vim.fn.json_decode(table.concat(out, '')).url
  pcall(vim.fn.setreg, '+', link)
  vim.fn.setreg('"', link)
  print(link)
end

vim.api.nvim_create_user_command('DevkilnSnippet', function(range)
  local arguments = { 'snippet' }
  if vim.bo.filetype ~= '' then
    vim.list_extend(arguments, { '--language', vim.bo.filetype })
  end
  share(arguments, range)
end, { range = '%' })

vim.api.nvim_create_user_command('DevkilnLog', function(range)
  share({ 'log' }, range)
end, { range = '%' })
