// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ERC1155} from '@openzeppelin/contracts/token/ERC1155/ERC1155.sol';
import {Base64} from '@openzeppelin/contracts/utils/Base64.sol';
import {Strings} from '@openzeppelin/contracts/utils/Strings.sol';

/// An ERC-1155 whose metadata and images are data URIs. Anyone can mint, and replace the URI.
contract Bookmarks is ERC1155 {
    using Strings for uint256;

    string public constant name = 'Bookmarks of the Book';

    constructor() ERC1155('') {}

    function mint(address to, uint256 id, uint256 amount) external {
        _mint(to, id, amount, '');
    }

    /// Replaces the URI of every token, such as by one of a server with `{id}`. Empty: data URIs.
    function setUri(string calldata newUri) external {
        _setURI(newUri);
    }

    function uri(uint256 id) public view override returns (string memory) {
        string memory set = super.uri(id);
        if (bytes(set).length > 0) return set;
        bytes memory json = abi.encodePacked(
            '{"name":"Bookmark ',
            id.toString(),
            '","description":"Keeps a page of the Book of Ethereum.","image":"data:image/svg+xml;base64,',
            Base64.encode(_image(id)),
            '","attributes":[{"trait_type":"Page","value":',
            (id * 17).toString(),
            '}]}'
        );
        return string.concat('data:application/json;base64,', Base64.encode(json));
    }

    /// A ribbon over a page, in a hue for each id.
    function _image(uint256 id) private pure returns (bytes memory) {
        return
            abi.encodePacked(
                '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400"><rect width="400" height="400" fill="#f3ead7"/>',
                '<path d="M150 0h100v330l-50-40-50 40z" fill="hsl(',
                ((id * 137 + 20) % 360).toString(),
                ' 70% 42%)"/><path d="M150 0h14v319l-14 11z" fill="#000" opacity=".18"/></svg>'
            );
    }
}
